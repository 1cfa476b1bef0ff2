-- When the vendor said that its bot is out of the meeting: no other is ordered before.
alter table bot_vendor_runs add column out_at timestamptz;
update bot_vendor_runs set out_at = erased_at where erased_at is not null;
