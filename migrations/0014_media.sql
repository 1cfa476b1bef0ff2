-- Uploaded files. They belong to the platform, like the pages and products that show them.

create table media (
  id uuid primary key,
  filename text not null, -- made safe, with the ending of what the file is
  original_name text not null,
  mime_type text not null, -- by the bytes
  kind text not null check (kind in ('image', 'video', 'audio', 'document', 'archive', 'binary')),
  size integer not null,
  sha256 text not null unique, -- of the bytes that are kept: of a cleaned SVG, not of the one that was sent
  width integer, -- as it is shown, in pixels
  height integer,
  has_alpha boolean,
  alt text,
  title text,
  caption text,
  tags text[] not null default '{}',
  folder text,
  focal_x smallint not null default 50 check (focal_x between 0 and 100),
  focal_y smallint not null default 50 check (focal_y between 0 and 100),
  placeholder text, -- a picture of a few pixels, as a data address
  uploaded_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1
);
create index media_newest on media (created_at desc, id desc);
create index media_kind on media (kind, created_at desc, id desc);
create index media_folder on media (folder, created_at desc, id desc);

-- Each blob that belongs to a file: the original, and its variants. Two files may share one, such as two small pictures
-- that come out alike; a blob without a row here belongs to nobody.
create table media_files (
  media_id uuid not null references media on delete cascade,
  variant text not null,
  sha256 text collate "C" not null,
  name text not null, -- the last part of its address
  mime_type text not null,
  size integer not null,
  width integer,
  height integer,
  primary key (media_id, variant)
);
create index media_files_sha256 on media_files (sha256);

-- Who shows a file. It cannot be removed while somebody does.
create table media_uses (
  media_id uuid not null references media on delete restrict,
  user_kind text not null,
  user_id uuid not null,
  label text not null,
  primary key (media_id, user_kind, user_id)
);
create index media_uses_user on media_uses (user_kind, user_id);
