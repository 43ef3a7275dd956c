alter table tasks
  -- Which queue it waits in: quick or long by its expected cost, or alone if a worker died while an engine worked on it.
  add column lane text not null default 'quick' check (lane in ('quick', 'long', 'alone')),
  -- Since when an engine works on it, as its worker last told. Infinity: none does. Null: nothing was told yet, so one may.
  add column engine_at timestamptz;
