create index licenses_id on licenses (id); -- administrators name a license by id alone
