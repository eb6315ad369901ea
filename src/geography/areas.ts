/** A kind of area around a postcode, such as a ward. */
export type Area = {
  /** The key in records. */
  key: string
  label: string
  /** The column in the GEOGRAPHY database. */
  column: string
  /** The possible column names in the ONS Postcode Directory; `##` is a year that depends on the edition. */
  directoryColumns: readonly string[]
  /** The possible names of the code column in the directory's name files. */
  nameFileColumns: readonly string[]
  /** The first edition that must have the column, as `YYYY-MM`. */
  since?: string
}

/** Every kind of area, in the order of a record's area fields. */
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
    label: 'Area of about 1,500 people (LSOA 2021)',
    column: 'lsoa',
    directoryColumns: ['lsoa21', 'lsoa21cd'],
    nameFileColumns: ['lsoa21cd', 'dz22cd', 'sdz21cd'],
    since: '2023-05',
  },
  {
    key: 'msoa',
    label: 'Area of about 8,000 people (MSOA 2021)',
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

/** The keys and labels of the area fields, such as `ward` for the ward's name and `wardCode` for its code. */
export const derivedKeys = areas.flatMap(({ key, label }) => [
  { key, label },
  { key: `${key}Code`, label: `${label} code` },
])
