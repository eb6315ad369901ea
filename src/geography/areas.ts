/** A kind of area that a postcode lies in: its key in records, its label, its column in the GEOGRAPHY database, and the columns it is found by in the ONS Postcode Directory and in its name files (`##` is a year, which changes with the edition). */
export type Area = {
  key: string
  label: string
  column: string
  directoryColumns: readonly string[]
  nameFileColumns: readonly string[]
  /** The first edition that must have the column. */
  since?: string
}

/** The areas of a postcode, in the order in which records show them. */
export const areas: readonly Area[] = [
  {
    key: 'country',
    label: 'Country',
    column: 'country',
    directoryColumns: ['ctry', 'ctry##cd'],
    nameFileColumns: ['ctry##cd'],
  },
  {
    key: 'region',
    label: 'Region',
    column: 'region',
    directoryColumns: ['rgn', 'rgn##cd', 'gor', 'gor##cd'],
    nameFileColumns: ['rgn##cd', 'gor##cd'],
  },
  {
    key: 'county',
    label: 'County',
    column: 'county',
    directoryColumns: ['oscty', 'cty##cd'],
    nameFileColumns: ['cty##cd'],
  },
  {
    key: 'lad',
    label: 'Local authority district',
    column: 'lad',
    directoryColumns: ['oslaua', 'laua', 'lad##cd'],
    nameFileColumns: ['lad##cd'],
  },
  {
    key: 'ward',
    label: 'Ward',
    column: 'ward',
    directoryColumns: ['osward', 'ward', 'wd##cd'],
    nameFileColumns: ['wd##cd'],
  },
  {
    key: 'parish',
    label: 'Parish or community',
    column: 'parish',
    directoryColumns: ['parish', 'parncp##cd'],
    nameFileColumns: ['parncp##cd', 'par##cd'],
  },
  {
    key: 'countyElectoralDivision',
    label: 'County electoral division',
    column: 'county_electoral_division',
    directoryColumns: ['ced', 'ced##cd'],
    nameFileColumns: ['ced##cd'],
  },
  {
    key: 'constituency',
    label: 'UK Parliament constituency',
    column: 'constituency',
    directoryColumns: ['pcon', 'pcon##cd'],
    nameFileColumns: ['pcon##cd'],
  },
  {
    key: 'lsoa',
    label: 'LSOA (2021)',
    column: 'lsoa',
    directoryColumns: ['lsoa21', 'lsoa21cd'],
    nameFileColumns: ['lsoa21cd', 'dz22cd', 'sdz21cd'],
    since: '2023-05',
  },
  {
    key: 'msoa',
    label: 'MSOA (2021)',
    column: 'msoa',
    directoryColumns: ['msoa21', 'msoa21cd'],
    nameFileColumns: ['msoa21cd', 'iz22cd'],
    since: '2023-05',
  },
  {
    key: 'icb',
    label: 'NHS integrated care board',
    column: 'icb',
    directoryColumns: ['icb', 'icb##cd', 'stp', 'stp##cd'],
    nameFileColumns: ['icb##cd', 'stp##cd'],
  },
  {
    key: 'policeForceArea',
    label: 'Police force area',
    column: 'police_force_area',
    directoryColumns: ['pfa', 'pfa##cd'],
    nameFileColumns: ['pfa##cd'],
  },
]

/** What a record gains from its postcode: the name of each area under its key, and its code under the key and `Code`. */
export const derivedKeys = areas.flatMap(({ key, label }) => [
  { key, label },
  { key: `${key}Code`, label: `${label} code` },
])
