/**
 * `speech.py`: recognizes samples with PocketSphinx, piece by piece. A piece ends at the quietest moment of its last
 * seconds. Without pieces, noise without pauses would be one utterance of hours, which no amount of memory can hold.
 */
export const speechScript = String.raw`import array
import json
import os
import re
import subprocess
import sys

from transcript import WRITERS

RATE = 16000
PIECE = 120
LOOK_BACK = 20
FRAME = RATE // 10
WORD = re.compile(r"^(\S+) (\d+\.\d+) (\d+\.\d+) (\d+\.\d+)$")


def quietest(samples):
    """How many samples go before the middle of the quietest tenth of a second near the end."""
    first = len(samples) - LOOK_BACK * RATE
    starts = range(first, len(samples) - FRAME, FRAME)
    best = min(starts, key=lambda at: sum(map(abs, samples[at:at + FRAME])))
    return best + FRAME // 2


def pieces(file):
    """Stretches of samples, each with the number of samples before it."""
    at = 0
    rest = array.array("h")
    while True:
        more = file.read((PIECE * RATE - len(rest)) * 2)
        rest.frombytes(more[:len(more) & ~1])
        if not rest:
            return
        is_last = len(rest) < PIECE * RATE
        end = len(rest) if is_last else quietest(rest)
        yield at, rest[:end]
        at += end
        rest = rest[end:]
        if is_last:
            return


def recognize(model):
    """The lines that PocketSphinx prints: the words of an utterance, then each with its times."""
    folder = f"/usr/share/pocketsphinx/model/{model}"
    command = ["/usr/bin/pocketsphinx_continuous", "-infile", "piece.raw", "-time", "yes", "-logfn", "/dev/null"]
    command += ["-hmm", f"{folder}/{model}", "-lm", f"{folder}/{model}.lm.bin"]
    command += ["-dict", f"{folder}/cmudict-{model}.dict"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        yield from process.stdout
    if process.returncode != 0:
        sys.exit(f"pocketsphinx_continuous: exit {process.returncode}")


def listen(samples, model, total):
    """All words with their times in the whole recording, and which utterance they are of."""
    utterance = 0
    for at, piece in pieces(samples):
        with open("piece.raw", "wb") as file:
            piece.tofile(file)
        offset = at / RATE
        for line in recognize(model):
            found = WORD.match(line.strip())
            if found is None:
                utterance += 1
                continue
            word, start, end, confidence = found.groups()
            end = offset + float(end)
            print(f"done {min(end / total, 1):.4f}", flush=True)
            # Pauses, breaths and noise are in brackets; a number in parentheses tells pronunciations of a word apart.
            if word[0] in "<[+":
                continue
            word = re.sub(r"\(\d+\)$", "", word)
            yield {
                "word": word,
                "start": round(offset + float(start), 2),
                "end": round(end, 2),
                "confidence": round(min(float(confidence), 1), 3),
                "utterance": utterance,
            }
        utterance += 1


def main():
    source, model, language, out = sys.argv[1:5]
    seconds = os.path.getsize(source) / 2 / RATE
    with open(source, "rb") as file:
        words = list(listen(file, model, max(seconds, 0.001)))
    with open(out, "w", encoding="utf-8") as file:
        WRITERS[out.rpartition(".")[2]](file, words, {"language": language, "duration": round(seconds, 2)})
    print(json.dumps({"words": len(words)}))
`
