-- How tasks of each pair of formats ended on this instance in the last 30 days, over all owners. The scheduler replaces
-- all rows about once an hour from `usage` and the task records: counted where tasks end, one row of a common pair would
-- be what all owners wait for. By pair and not by engine: `usage` has the family of engines, and answers are about pairs.
create table pair_rates (
  operation text not null,
  input_format text not null,
  output_format text not null,
  completed bigint not null,
  failed bigint not null,
  -- Of the time in engines of completed tasks. Null where too few of their records are left.
  median_ms double precision,
  measured_at timestamptz not null default now(),
  primary key (operation, input_format, output_format)
);
