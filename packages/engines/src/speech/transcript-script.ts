/** `transcript.py`: writes words with times as text, subtitles or JSON. */
export const transcriptScript = String.raw`import itertools
import json
import textwrap

LINE = 42
LINES = 2
SECONDS = 6
PAUSE = 0.8


def utterances(words):
    return [list(group) for _, group in itertools.groupby(words, key=lambda word: word["utterance"])]


def text_of(words):
    return " ".join(word["word"] for word in words)


def cues(words):
    """Words that are shown together: two lines at most, for a few seconds, and never across a pause."""
    for spoken in utterances(words):
        cue = []
        for word in spoken:
            is_apart = cue and word["start"] - cue[-1]["end"] > PAUSE
            is_long = cue and word["end"] - cue[0]["start"] > SECONDS
            if is_apart or is_long or (cue and len(textwrap.wrap(text_of([*cue, word]), LINE)) > LINES):
                yield cue
                cue = []
            cue.append(word)
        if cue:
            yield cue


def clock(seconds, mark):
    whole, thousandths = divmod(round(seconds * 1000), 1000)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}{mark}{thousandths:03}"


def write_cues(file, words, mark):
    for number, cue in enumerate(cues(words), 1):
        times = [clock(cue[0]["start"], mark), clock(cue[-1]["end"], mark)]
        lines = "\n".join(textwrap.wrap(text_of(cue), LINE))
        file.write(f"{number}\n{times[0]} --> {times[1]}\n{lines}\n\n")


def write_srt(file, words, facts):
    write_cues(file, words, ",")
    if not words:
        file.write("\n")


def write_vtt(file, words, facts):
    file.write("WEBVTT\n\n")
    write_cues(file, words, ".")


def write_txt(file, words, facts):
    # No speech is an empty line: a file of no bytes looks like one that was lost.
    for spoken in utterances(words) or [[]]:
        file.write(text_of(spoken) + "\n")


def write_json(file, words, facts):
    told = [{name: value for name, value in word.items() if name != "utterance"} for word in words]
    json.dump({**facts, "text": text_of(words), "words": told}, file, ensure_ascii=False, indent=1)
    file.write("\n")


WRITERS = {"txt": write_txt, "srt": write_srt, "vtt": write_vtt, "json": write_json}
`
