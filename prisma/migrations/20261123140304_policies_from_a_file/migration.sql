ALTER TABLE policy ADD COLUMN from_file boolean NOT NULL DEFAULT false;
