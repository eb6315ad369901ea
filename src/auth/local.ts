/** The claims of tokens on a local machine: `iss`, `aud`, and `sub` of the demo's administrator. */
export const localClaims = {
  issuer: 'urn:organisation-data-platform:local',
  audience: 'urn:organisation-data-platform:api',
  administrator: 'administrator@demo.example',
} as const
