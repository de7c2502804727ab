"""Writes a checkpoint that phocinae-server loads: the right shapes and words, and weights that are dice.

Run it with the Python of an environment that has phocinae-server in it: `python genuine_checkpoint.py FOLDER`. What
the model answers means nothing; that it answers at all is enough to hold a client against the protocol.
"""

from __future__ import annotations

import importlib
import json
import struct
import sys
from pathlib import Path
from typing import Any

WIDTH = 64
LAYERS = 2
WORDS = 235_300
SPACE = "\u2581"

ANCHORS = {
    "<pad>": 0, "<eos>": 1, "<bos>": 2, "<unk>": 3, "<mask>": 4, "\n": 108, "\t": 226, SPACE + "a": 476, "b": 518,
    SPACE + "the": 573, SPACE + "world": 2134, SPACE + "hello": 25612, SPACE: 235248,
}  # fmt: skip
"""Words whose numbers the server looks at before it believes a tokenizer."""


def vocabulary() -> tuple[dict[str, int], list[list[str]]]:
    """Return the words with their numbers, and the merges that lead to them: the anchors, all bytes, all of ASCII."""
    found = dict(ANCHORS)
    taken = set(found.values())
    free = (number for number in range(5000, WORDS) if number not in taken)
    merges: list[list[str]] = []

    def number(word: str) -> None:
        if word not in found:
            found[word] = next(free)

    for byte in range(256):
        number(f"<0x{byte:02X}>")
    for code in range(0x21, 0x7F):
        number(chr(code))
    for word in (SPACE + "a", SPACE + "the", SPACE + "world", SPACE + "hello"):
        for end in range(1, len(word)):
            pair = [word[:end], word[end]]
            number(word[: end + 1])
            if pair not in merges:
                merges.append(pair)
    return found, merges


def configurations() -> dict[str, object]:
    """Return the files of the checkpoint that are JSON, by their path."""
    words, merges = vocabulary()
    added = [{"id": ANCHORS[word], "content": word} for word in ("<pad>", "<eos>", "<bos>", "<unk>", "<mask>")]
    return {
        "encoder/config.json": {
            "vocab_size": WORDS,
            "hidden_size": WIDTH,
            "num_hidden_layers": LAYERS,
            "num_attention_heads": 1,
            "intermediate_size": WIDTH,
            "layer_norm_eps": 1e-5,
            "layer_types": ["full_attention", "sliding_attention"],
            "rope_parameters": {"full_attention": {"rope_theta": 160000.0}},
            "local_attention": 128,
        },
        "rl_agent_config.json": {"max_len": 512, "head_max_len": 192, "head_layers": 2, "temperature": [1.0, 1.0, 1.0]},
        "tokenizer/tokenizer.json": {
            "model": {"vocab": words, "merges": merges, "unk_token": "<unk>"},
            "added_tokens": added,
        },
    }


def weights() -> dict[str, Any]:
    """Return random weights of the model's own shapes."""
    torch: Any = importlib.import_module("torch")
    model: Any = importlib.import_module("phocinae.model")
    torch.manual_seed(1)
    encoder = model.MMBertEncoder(WORDS, WIDTH, LAYERS, 1, WIDTH, 1e-5, {0}, 160000.0, 64)
    whole = model.DecisionModel(WIDTH, 2, 1, 0.1)
    whole.encoder = encoder
    return {name: tensor.half().contiguous() for name, tensor in whole.state_dict().items()}


def safetensors(tensors: dict[str, Any]) -> bytes:
    """Return tensors of 16-bit floats in the safetensors format."""
    header: dict[str, object] = {}
    data = bytearray()
    for name, tensor in tensors.items():
        raw = tensor.numpy().tobytes()
        header[name] = {"dtype": "F16", "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    head = json.dumps(header).encode()
    return struct.pack("<Q", len(head)) + head + bytes(data)


def main(folder: Path) -> None:
    """Write the checkpoint into a folder, which is made."""
    for name, content in configurations().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    (folder / "model.safetensors").write_bytes(safetensors(weights()))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
