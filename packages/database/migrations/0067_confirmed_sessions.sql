-- When the user of a session last proved who they are: by signing in, or with the password since. Null: unknown, or not yet. Creating an
-- API key needs a recent proof, because the key would outlast a page that somebody else has found open.
alter table sessions add column confirmed_at timestamptz;
