-- How the email address of a login was proven to belong to its user: by an identity provider, by an administrator who entered it,
-- by the link of a mail, or by nobody. It counts only while the address is still `proven_email`: a release that does not know these
-- columns may change the address. Null for logins that such a release has created: nothing is known about their addresses.
alter table logins add column email_proof text check (email_proof in ('provider', 'administrator', 'mail', 'nobody'));
alter table logins add column proven_email text;

-- The links of invitations that were only mailed, and not shown to the inviter: users who have one receive mail at the address.
create table mailed_links (
  -- SHA-256 of what the link ends with.
  hash bytea primary key,
  invitation_id bytea not null references invitations (id) on delete cascade
);

create index mailed_links_of_invitation on mailed_links (invitation_id);
