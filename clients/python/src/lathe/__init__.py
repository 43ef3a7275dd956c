"""Convert files with Lathe."""

from ._version import version as __version__
from .client import Lathe
from .errors import (
    ConnectionError,
    FieldError,
    ForbiddenError,
    InvalidRequestError,
    JobFailedError,
    LatheError,
    NotFoundError,
    OutOfStorageError,
    RateLimitError,
    RequestError,
    TaskFailedError,
    TimeoutError,
    UnauthorizedError,
    WebhookError,
)
from .files import ResultFile
from .generated.options import CompressOptions, ConvertOptions, CropOptions, MergeOptions, Operation, TrimOptions
from .generated.requests import CreateJobRequest
from .generated.types import Account, ApiEvent, FormatList, Job, OptionSet, Preset, Task, TaskFile, TaskResult, Usage
from .jobs import JobHandle, Jobs
from .source import SizedStream, Source
from .tasks import TaskHandle, Tasks
from .webhooks import unwrap

__all__ = [
    "Account",
    "ApiEvent",
    "CompressOptions",
    "ConnectionError",
    "ConvertOptions",
    "CreateJobRequest",
    "CropOptions",
    "FieldError",
    "ForbiddenError",
    "FormatList",
    "InvalidRequestError",
    "Job",
    "JobFailedError",
    "JobHandle",
    "Jobs",
    "Lathe",
    "LatheError",
    "MergeOptions",
    "NotFoundError",
    "Operation",
    "OptionSet",
    "OutOfStorageError",
    "Preset",
    "RateLimitError",
    "RequestError",
    "ResultFile",
    "SizedStream",
    "Source",
    "Task",
    "TaskFailedError",
    "TaskFile",
    "TaskHandle",
    "TaskResult",
    "Tasks",
    "TimeoutError",
    "TrimOptions",
    "UnauthorizedError",
    "Usage",
    "WebhookError",
    "__version__",
    "unwrap",
]
