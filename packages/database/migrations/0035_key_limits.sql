-- When a key stops working by itself; null for one that works until it is revoked.
alter table api_keys add column expires_at timestamptz;
-- The addresses and ranges a key may be used from; null for anywhere.
alter table api_keys add column allowed_ips text[];
