/** What the tokens of a local machine say they are: `iss`, `aud`, and `sub` of who administers the demo. */
export const localClaims = {
  issuer: 'urn:organisation-data-platform:local',
  audience: 'urn:organisation-data-platform:api',
  administrator: 'administrator@demo.example',
} as const
