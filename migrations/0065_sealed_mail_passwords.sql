-- Sealed columns are found by their names.
alter table email_configs rename column transport_password to transport_password_sealed;
alter table email_configs rename column inbound_password to inbound_password_sealed;
