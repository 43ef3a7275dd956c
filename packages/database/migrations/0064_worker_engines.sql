-- How many engines a worker can run at once, for the page of the instance. Null: a worker of the release before, which does not
-- say so, or one without engines.
alter table workers add column engines integer check (engines > 0);
