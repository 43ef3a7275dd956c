-- What is limited per day and must not be counted again after a restart, or when what was counted is deleted: invitations by user,
-- mails by recipient. Rows of former days are deleted.
create table daily_counts (
  -- What is counted and for whom. Email addresses are hashed.
  subject text not null,
  -- In UTC.
  day date not null,
  count integer not null,
  primary key (subject, day)
);
