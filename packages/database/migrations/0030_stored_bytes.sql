-- What the files of an owner take in storage, by the five minutes in which they expire. What has expired is no longer
-- counted by its time alone: nothing needs to be written for it, and no count can stay behind.
create table stored_bytes (
  owner_id bytea not null references owners (id) on delete cascade,
  -- The end of the five minutes.
  expires_at timestamptz not null,
  bytes bigint not null check (bytes >= 0),
  primary key (owner_id, expires_at)
) with (fillfactor = 50);
insert into stored_bytes (owner_id, expires_at, bytes)
select t.owner_id, date_bin('5 minutes', f.expires_at, 'epoch') + interval '5 minutes', sum(f.size)
  from files f join tasks t on t.id = f.task_id
 where f.deleted_at is null and f.expires_at > now()
 group by 1, 2;
