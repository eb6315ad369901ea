-- Finds the sign-ups whose contact is a person: an erasure empties the contact, also that of a deleted booking.
CREATE INDEX sign_ups_by_contact ON sign_ups (organisation_id, lower(contact ->> '$.email'));

CREATE INDEX history_by_contact ON history (organisation_id, lower(attached ->> '$.signUp.contact.email'))
  WHERE attached IS NOT NULL;
