-- How many tasks of an owner have not ended, so that one owner cannot fill the record.
alter table owners add column open_tasks integer not null default 0 check (open_tasks >= 0);
update owners o set open_tasks = (
  select count(*) from tasks t where t.owner_id = o.id and t.status in ('created', 'processing'));
