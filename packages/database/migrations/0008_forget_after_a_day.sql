-- Nothing about a task or job outlives its 24 hours, or its deletion.

-- A repeated request is answered with the present state of what the first one made, so no answer is kept.
-- An api of an earlier release must be stopped before this.
alter table idempotency_keys add column subject_id bytea;
update idempotency_keys set subject_id = decode(body ->> 'id', 'hex');
alter table idempotency_keys
  alter column subject_id set not null,
  drop column body,
  drop column status;
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- When the body and the answers of a delivery were erased: from then on it keeps neither.
alter table webhook_deliveries add column erased_at timestamptz;
create index deliveries_to_erase on webhook_deliveries (subject_id) where erased_at is null;
