/** An area as the ONS publishes it; without a name it is in no name file. */
type Area = readonly [code: string, name: string]

/** A postcode with its areas by key. An area that is left out has an empty cell. */
export type Fact = { postcode: string; terminated?: string; areas: Readonly<Record<string, Area>> }

const England: Area = ['E92000001', 'England']
const London: Area = ['E12000007', 'London']
const NorthWest: Area = ['E12000002', 'North West']
const noneIn = (nation: string): Area => [`${nation}99999999`, '(pseudo) no such area']
const unparished: Area = ['E43000236', 'Westminster, unparished area']
const onlyCountry = (nation: string, country: Area) => ({
  country,
  region: noneIn(nation),
  county: noneIn(nation),
  lad: noneIn(nation),
  ward: noneIn(nation),
  parish: noneIn(nation),
  constituency: noneIn(nation),
  lsoa: noneIn(nation),
  icb: noneIn(nation),
  policeForceArea: noneIn(nation),
})

/** Postcodes whose areas are known to be so between November 2024 and November 2025. */
export const facts: readonly Fact[] = [
  {
    postcode: 'SW1A 1AA',
    areas: {
      country: England,
      region: London,
      county: noneIn('E'),
      lad: ['E09000033', 'Westminster'],
      ward: ['E05013806', "St James's"],
      parish: unparished,
      countyElectoralDivision: noneIn('E'),
      constituency: ['E14001172', 'Cities of London and Westminster'],
      lsoa: ['E01004736', 'Westminster 018C'],
      msoa: ['E02000977', 'Westminster 018'],
      icb: ['E54000027', 'NHS North West London'],
      policeForceArea: ['E23000001', 'Metropolitan Police'],
    },
  },
  {
    postcode: 'M1 1AD',
    areas: {
      country: England,
      region: NorthWest,
      lad: ['E08000003', 'Manchester'],
      ward: ['E05011361', 'Deansgate'],
      constituency: ['E14001352', 'Manchester Central'],
      lsoa: ['E01033658', 'Manchester 054C'],
      msoa: ['E02006902', 'Manchester 054'],
      icb: ['E54000057', 'NHS Greater Manchester'],
      policeForceArea: ['E23000005', 'Greater Manchester'],
    },
  },
  {
    postcode: 'LS11 0ES',
    areas: {
      country: England,
      region: ['E12000003', 'Yorkshire and The Humber'],
      lad: ['E08000035', 'Leeds'],
      ward: ['E05012647', 'Beeston & Holbeck'],
      constituency: ['E14001323', 'Leeds South'],
      lsoa: ['E01011369', 'Leeds 090E'],
      msoa: ['E02002419', 'Leeds 090'],
      policeForceArea: ['E23000010', 'West Yorkshire'],
    },
  },
  {
    postcode: 'PR3 0SG',
    areas: {
      country: England,
      region: NorthWest,
      county: ['E10000017', 'Lancashire'],
      lad: ['E07000128', 'Wyre'],
      ward: ['E05009934', 'Brock with Catterall'],
      parish: ['E04005340', 'Myerscough and Bilsborrow'],
      countyElectoralDivision: ['E58000832', 'Wyre Rural East'],
      constituency: ['E14001318', 'Lancaster and Wyre'],
      lsoa: ['E01025547', 'Wyre 006A'],
      msoa: ['E02005324', 'Wyre 006'],
    },
  },
  {
    postcode: 'BR8 7QP',
    areas: {
      country: England,
      region: London,
      lad: ['E09000006', 'Bromley'],
      ward: ['E05014007', "St Paul's Cray"],
      constituency: ['E14001417', 'Orpington'],
      lsoa: ['E01000720', 'Bromley 019B'],
      msoa: ['E02000145', 'Bromley 019'],
    },
  },
  {
    postcode: 'AB10 1AB',
    areas: {
      country: ['S92000003', 'Scotland'],
      region: noneIn('S'),
      county: noneIn('S'),
      lad: ['S12000033', 'Aberdeen City'],
      ward: ['S13002842', 'George St/Harbour'],
      parish: noneIn('S'),
      constituency: ['S14000061', 'Aberdeen South'],
      lsoa: ['S01013627', 'George Street - 02'],
      msoa: ['S02002541', 'George Street'],
      icb: noneIn('S'),
    },
  },
  {
    postcode: 'SE1 9ZZ',
    terminated: '199812',
    areas: {
      country: England,
      region: London,
      lad: ['E09000028', 'Southwark'],
      ward: ['E05011095', 'Borough & Bankside'],
      constituency: ['E14001085', 'Bermondsey and Old Southwark'],
      lsoa: ['E01003934', 'Southwark 002C'],
      msoa: ['E02000808', 'Southwark 002'],
    },
  },
  { postcode: 'JE2 4WD', areas: onlyCountry('L', ['L93000001', 'Channel Islands']) },
  {
    postcode: 'IM1 1AA',
    terminated: '199912',
    areas: onlyCountry('M', ['M83000003', 'Isle of Man']),
  },
]
