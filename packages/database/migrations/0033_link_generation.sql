-- Links and forms of an owner carry its generation and are void once it has risen: when a key of the owner is revoked.
alter table owners add column link_generation integer not null default 0;
