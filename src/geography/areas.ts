/** A kind of area around a postcode, such as a ward. */
export type Area = {
  /** Its key in records. */
  key: string
  label: string
  /** Its column in the GEOGRAPHY database. */
  column: string
  /** What its column in the ONS Postcode Directory may be called; `##` is a year, which changes with the edition. */
  directoryColumns: readonly string[]
  /** What the column of its codes may be called in the directory's name files. */
  nameFileColumns: readonly string[]
  /** The first edition that must have the column, as `YYYY-MM`. */
  since?: string
}

/** Every kind of area, in the order in which records show them. */
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

/** The keys a record gains from its postcode, with their labels: `ward` for the name of the ward, `wardCode` for its code, and so on. */
export const derivedKeys = areas.flatMap(({ key, label }) => [
  { key, label },
  { key: `${key}Code`, label: `${label} code` },
])
