-- The folder of a file in a ZIP of its task, such as `album/day 1`; null for the top.
alter table files add column folder text;
