-- Features, plans and media count their own revision too, for If-Match.
alter table product_features add column revision integer not null default 1;
alter table product_plans add column revision integer not null default 1;
alter table product_media add column revision integer not null default 1;
