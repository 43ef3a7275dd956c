-- Where the time of a task went: milliseconds in the queue, fetching, in engines and storing. Null until it has ended, and
-- for tasks without a worker.
alter table tasks add column times jsonb;
