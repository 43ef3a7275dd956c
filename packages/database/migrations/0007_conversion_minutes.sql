-- What an owner's plan gives: minutes in which engines work for it. Null: without limit.
alter table owners
  add column minutes_a_month integer check (minutes_a_month >= 0),
  add column minutes_a_task integer check (minutes_a_task > 0),
  -- What the month that began on used_in (UTC) has taken so far; of another month it counts as nothing.
  add column used_ms bigint not null default 0 check (used_ms >= 0),
  add column used_in date not null default 'epoch';
