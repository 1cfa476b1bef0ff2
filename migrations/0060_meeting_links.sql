-- Where and until when a meeting takes place, and the event of a calendar that it stands for.
alter table meetings
  add column join_url        text,        -- as shown: without passcodes
  add column join_url_sealed bytea,       -- whole, sealed for this row
  add column scheduled_end   timestamptz,
  add column calendar_event  jsonb,       -- {uid, occurrence}
  add constraint meetings_join_url_check check ((join_url is null) = (join_url_sealed is null));

-- Each occurrence of an event is one meeting of its owner; calendars look for it by this key.
create index meetings_by_calendar_event on meetings (tenant_id, (calendar_event ->> 'uid')) where calendar_event is not null;
