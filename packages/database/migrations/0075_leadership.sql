-- Which scheduler leads. At most one row; the first leader makes it. A leader counts `renewals` up every second. Another scheduler takes
-- over, with the next epoch, when it has seen no change for some seconds by its own clock: no two clocks are ever compared.
create table leadership (
  one boolean primary key default true check (one),
  epoch bigint not null,
  -- Host, process and a random part: a name of this term alone. Null when the leader has stopped.
  holder text,
  renewals bigint not null
);
