INSERT INTO blocks_filled (remainder) VALUES (7);
