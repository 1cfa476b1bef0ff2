-- A report of a VPN server writes a row of each device and each open session. With room in each page for the next version of a row,
-- no index has to be written with it.
alter table devices set (fillfactor = 80);
alter table vpn_sessions set (fillfactor = 80);
