-- What an owner's tasks came to, by the day (UTC) on which they ended. Written in the transaction that ends a task, by
-- who holds the owner, so nobody waits for a row of it who does not already wait for the owner. Stays when records go.
create table usage (
  owner_id bytea not null references owners (id) on delete cascade,
  day date not null,
  operation text not null,
  -- Empty where there is none, or where it is not known.
  input_format text not null,
  output_format text not null,
  engine text not null,
  completed bigint not null,
  failed bigint not null,
  canceled bigint not null,
  engine_ms bigint not null,
  -- Of the files that were made.
  bytes bigint not null,
  primary key (owner_id, day, operation, input_format, output_format, engine)
) with (fillfactor = 50);
