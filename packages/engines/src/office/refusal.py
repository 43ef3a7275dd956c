"""Why the runner did not do what it was asked: a code of ours, words for the owner, details for operators."""


class Refusal(Exception):
    def __init__(self, code, text=None, detail=None):
        super().__init__(detail or text or code)
        self.code = code
        self.text = text
        self.detail = detail


def damaged(kind, detail=None):
    text = f"The input is damaged, incomplete or not really {kind}. Check that it opens, then import it again."
    return Refusal("input_damaged", text, detail)


def beyond(what, limit):
    return Refusal("limit_exceeded", f"The file exceeds a limit of this service: {what}, at most {limit} allowed.")


def encrypted(was_given):
    if was_given:
        return Refusal("input_encrypted", "The password is wrong. Set the right one in the option password.")
    return Refusal("input_encrypted", "The input is protected by a password. Give it as the option password.")
