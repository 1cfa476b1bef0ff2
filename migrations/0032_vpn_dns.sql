-- Null: chosen by what the server's agent can do. Lists that were set before stay, also empty ones.
alter table vpn_servers alter column dns drop not null;
alter table vpn_servers add column serves_dns boolean not null default false; -- devices may ask at the tunnel address
