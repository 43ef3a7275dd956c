-- The trace its work belongs to, as a W3C traceparent; null where none is recorded.
alter table tasks add column trace_parent text;
