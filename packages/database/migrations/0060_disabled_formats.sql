-- What administrators have switched off: a format as input, as output, or the conversion of one into another.
create table disabled_formats (
  id bytea primary key check (length(id) = 12),
  -- Null for any.
  input text,
  output text,
  reason text,
  disabled_by bytea references users (id) on delete set null,
  disabled_at timestamptz not null default now(),
  check (input is not null or output is not null)
);
create unique index disabled_formats_once on disabled_formats (coalesce(input, ''), coalesce(output, ''));
