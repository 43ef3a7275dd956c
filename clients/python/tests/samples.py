"""Answers of the service."""

from __future__ import annotations

from typing import Any

times = {name: "2026-01-01T12:00:00.000Z" for name in ("createdAt", "updatedAt", "expiresAt")}


def task(status: str = "completed", **result: Any) -> dict[str, Any]:
    return {
        "id": "66f2c1a0000100a1b2c3d4e5", "name": "file", "operation": "import/upload", "status": status, "payload": {},
        "dependsOn": [], "job": "66f2c1a0000100a1b2c3d4e6", "user": "66f2c1a0000100a1b2c3d4e7", "result": result,
        "progress": None, "queue": None, "startedAt": None, "endedAt": None, **times,
    }  # fmt: skip


def job(status: str = "completed", *tasks: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": "66f2c1a0000100a1b2c3d4e6", "tag": None, "status": status, "startedAt": None, "endedAt": None, "result": {},
        "tasks": list(tasks), **times,
    }  # fmt: skip


def event(seq: int, type: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"id": f"{seq:024x}", "type": type, "seq": seq, "createdAt": times["createdAt"], "data": data}
