-- How many bytes the files of an owner may take in storage. Null: what the setting STORED_BYTES_PER_OWNER says. 0: without
-- limit. Processes of the release before do not read it, and go by the setting alone.
alter table owners add column storage_bytes bigint check (storage_bytes >= 0);
