import type { Fact } from './facts.ts'

/** How an edition lays out the directory and its name files. */
export type Layout = {
  edition: string
  file: string
  header: string
  /** The column of each kind of area. */
  columns: Readonly<Record<string, string>>
  /** The name files: the kind of area, which codes, and the columns of code and name. */
  names: readonly (readonly [kind: string, file: string, header: string, codes?: RegExp])[]
}

const before2025 = {
  country: 'ctry',
  region: 'rgn',
  county: 'oscty',
  lad: 'oslaua',
  ward: 'osward',
  parish: 'parish',
  countyElectoralDivision: 'ced',
  constituency: 'pcon',
  policeForceArea: 'pfa',
}

const census2021: Layout['names'] = [
  ['lsoa', 'LSOA (2021) names and codes EW as at 12_21', 'LSOA21CD,LSOA21NM', /^[EW]/],
  ['lsoa', 'LSOA (2021) DZ names and codes SC as at 12_24', 'DZ22CD,DZ22NM', /^S/],
  ['msoa', 'MSOA (2021) names and codes EW as at 12_21', 'MSOA21CD,MSOA21NM', /^[EW]/],
  ['msoa', 'MSOA (2021) IZ names and codes SC as at 12_24', 'IZ22CD,IZ22NM', /^S/],
]

/** Editions with different columns, with their published headers. */
export const layouts = {
  'August 2019': {
    edition: '2019-08',
    file: 'ONSPD_AUG_2019_UK.csv',
    header:
      'pcd,pcd2,pcds,dointr,doterm,oscty,ced,oslaua,osward,parish,usertype,oseast1m,osnrth1m,osgrdind,oshlthau,nhser,ctry,rgn,streg,pcon,eer,teclec,ttwa,pct,nuts,statsward,oa01,casward,park,lsoa01,msoa01,ur01ind,oac01,oa11,lsoa11,msoa11,wz11,ccg,bua11,buasd11,ru11ind,oac11,lat,long,lep1,lep2,pfa,imd,calncv,stp',
    columns: { ...before2025, icb: 'stp' },
    names: [
      ['country', 'Country names and codes UK as at 08_12', 'CTRY12CD,CTRY12CDO,CTRY12NM'],
      ['region', 'Region names and codes EN as at 12_10 (GOR)', 'GOR10CD,GOR10CDO,GOR10NM'],
      ['county', 'County names and codes EN as at 04_19', 'CTY19CD,CTY19NM'],
      ['lad', 'LA_UA names and codes UK as at 04_19', 'LAD19CD,LAD19NM,LAD19NMW'],
      ['ward', 'Ward names and codes UK as at 05_19', 'WD19CD,WD19NM'],
      ['parish', 'Parish names and codes EW as at 12_18', 'PAR18CD,PAR18NM'],
      ['countyElectoralDivision', 'CED names and codes EN as at 05_19', 'CED19CD,CED19NM'],
      ['constituency', 'Westminster names and codes UK as at 12_14', 'PCON14CD,PCON14NM'],
      ['icb', 'STP names and codes EN as at 04_19', 'STP19CD,STP19CDH,STP19NM'],
      ['policeForceArea', 'PFA names and codes GB as at 12_15', 'PFA15CD,PFA15NM'],
    ],
  },
  'February 2023': {
    edition: '2023-02',
    file: 'ONSPD_FEB_2023_UK.csv',
    header:
      'pcd,pcd2,pcds,dointr,doterm,oscty,ced,oslaua,osward,parish,usertype,oseast1m,osnrth1m,osgrdind,oshlthau,nhser,ctry,rgn,streg,pcon,eer,teclec,ttwa,pct,itl,statsward,oa01,casward,park,lsoa01,msoa01,ur01ind,oac01,oa11,lsoa11,msoa11,wz11,sicbl,bua11,buasd11,ru11ind,oac11,lat,long,lep1,lep2,pfa,imd,calncv,icb,oa21,lsoa21,msoa21',
    columns: { ...before2025, icb: 'icb', lsoa: 'lsoa21', msoa: 'msoa21' },
    names: [
      ['country', 'Country names and codes UK as at 08_12', 'CTRY12CD,CTRY12CDO,CTRY12NM'],
      ['region', 'Region names and codes EN as at 12_20 (RGN)', 'RGN20CD,RGN20CDO,RGN20NM'],
      ['county', 'County names and codes UK as at 04_21', 'CTY21CD,CTY21NM'],
      ['lad', 'LA_UA names and codes UK as at 04_21', 'LAD21CD,LAD21NM'],
      ['ward', 'Ward names and codes UK as at 12_22', 'WD22CD,WD22NM'],
      ['parish', 'Parish_NCP names and codes EW as at 12_21', 'PARNCP21CD,PARNCP21NM'],
      ['countyElectoralDivision', 'CED names and codes EN as at 05_21', 'CED21CD,CED21NM'],
      ['constituency', 'Westminster names and codes UK as at 12_14', 'PCON14CD,PCON14NM'],
      ['icb', 'ICB names and codes EN as at 04_23', 'ICB23CD,ICB23CDH,ICB23NM'],
      ['policeForceArea', 'PFA names and codes GB as at 12_15', 'PFA15CD,PFA15NM'],
      ...census2021,
    ],
  },
  'August 2025': {
    edition: '2025-08',
    file: 'ONSPD_AUG_2025_UK.csv',
    header:
      'pcd7,pcd8,pcds,dointr,doterm,cty25cd,ced25cd,lad25cd,wd25cd,parncp25cd,usrtypind,east1m,north1m,gridind,hlth19cd,nhser24cd,ctry25cd,rgn25cd,ssr95cd,pcon24cd,eer20cd,educ23cd,ttwa15cd,pco19cd,itl25cd,wdstl05cd,oa01cd,wdcas03cd,npark16cd,lsoa01cd,msoa01cd,ruc01ind,oac01ind,oa11cd,lsoa11cd,msoa11cd,wz11cd,sicbl24cd,bua24cd,ruc11ind,oac11ind,lat,long,lep21cd1,lep21cd2,pfa23cd,imd20ind,cal24cd,icb23cd,oa21cd,lsoa21cd,msoa21cd,ruc21ind',
    columns: {
      country: 'ctry25cd',
      region: 'rgn25cd',
      county: 'cty25cd',
      lad: 'lad25cd',
      ward: 'wd25cd',
      parish: 'parncp25cd',
      countyElectoralDivision: 'ced25cd',
      constituency: 'pcon24cd',
      lsoa: 'lsoa21cd',
      msoa: 'msoa21cd',
      icb: 'icb23cd',
      policeForceArea: 'pfa23cd',
    },
    names: [
      ['country', 'CTRY Country names and codes UK as at 05_25', 'CTRY25CD,CTRY25NM,CTRY25NMW'],
      ['region', 'RGN Region names and codes EN as at 05_25', 'RGN25CD,RGN25NM,RGN25NMW'],
      ['county', 'CTY County names and codes UK as at 05_25', 'CTY25CD,CTY25NM'],
      ['lad', 'LAD names and codes UK as at 05_25', 'LAD25CD,LAD25NM,LAD25NMW'],
      ['ward', 'WD Ward names and codes UK as at 05_25', 'WD25CD,WD25NM,WD25NMW'],
      ['parish', 'PARNCP names and codes EW as at 04_25 v2', 'PARNCP25CD,PARNCP25NM,PARNCP25NMW'],
      ['countyElectoralDivision', 'CED names and codes EN as at 05_25', 'CED25CD,CED25NM'],
      ['constituency', 'PCON names and codes UK as at 07_24', 'PCON24CD,PCON24NM,PCON24NMW'],
      ['icb', 'ICB names and codes UK as at 04_23', 'ICB23CD,ICB23CDH,ICB23NM'],
      ['policeForceArea', 'PFA names and codes GB as at 12_23', 'PFA23CD,PFA23NM,PFA23NMW'],
      ...census2021,
    ],
  },
  'August 2026': {
    edition: '2026-08',
    file: 'ONSPD_AUG_2026_UK.csv',
    header:
      'pcd7,pcd8,pcds,dointr,doterm,cty26cd,ced25cd,lad26cd,wd26cd,parncp26cd,usrtypind,east1m,north1m,gridind,hlth19cd,nhser24cd,ctry26cd,rgn26cd,ssr95cd,pcon24cd,eer20cd,educ23cd,ttwa15cd,pco19cd,itl25cd,wdstl05cd,oa01cd,wdcas03cd,npark16cd,lsoa01cd,msoa01cd,ruc01ind,oac01ind,oa11cd,lsoa11cd,msoa11cd,wz11cd,sicbl26cd,bua24cd,ruc11ind,oac11ind,lat,long,lep21cd1,lep21cd2,pfa23cd,imd20ind,cal26cd,icb26cd,oa21cd,lsoa21cd,msoa21cd,ruc21ind,oac21ind,imd25ind',
    columns: {
      country: 'ctry26cd',
      region: 'rgn26cd',
      county: 'cty26cd',
      lad: 'lad26cd',
      ward: 'wd26cd',
      parish: 'parncp26cd',
      countyElectoralDivision: 'ced25cd',
      constituency: 'pcon24cd',
      lsoa: 'lsoa21cd',
      msoa: 'msoa21cd',
      icb: 'icb26cd',
      policeForceArea: 'pfa23cd',
    },
    names: [
      ['country', 'CTRY Country names and codes UK as at 05_26', 'CTRY26CD,CTRY26NM,CTRY26NMW'],
      ['region', 'RGN Region names and codes EN as at 05_26', 'RGN26CD,RGN26NM,RGN26NMW'],
      ['county', 'CTY County names and codes UK as at 05_26', 'CTY26CD,CTY26NM'],
      ['lad', 'LAD names and codes UK as at 05_26', 'LAD26CD,LAD26NM,LAD26NMW'],
      ['ward', 'WD Ward names and codes UK as at 05_26', 'WD26CD,WD26NM,WD26NMW'],
      ['parish', 'PARNCP names and codes EW as at 05_26', 'PARNCP26CD,PARNCP26NM,PARNCP26NMW'],
      ['countyElectoralDivision', 'CED names and codes EN as at 05_25', 'CED25CD,CED25NM'],
      ['constituency', 'PCON names and codes UK as at 07_24', 'PCON24CD,PCON24NM,PCON24NMW'],
      ['icb', 'ICB names and codes EN as at 04_26', 'ICB26CD,ICB26CDH,ICB26NM'],
      ['policeForceArea', 'PFA names and codes GB as at 12_23', 'PFA23CD,PFA23NM,PFA23NMW'],
      ...census2021,
    ],
  },
} satisfies Record<string, Layout>

/** The text of a directory that holds these facts, quoted as published. */
export function directoryCsv({ header, columns }: Layout, facts: readonly Fact[]): string {
  const lines = facts.map(({ postcode, terminated = '', areas }) => {
    const cells = new Map([
      ['pcds', postcode],
      ['doterm', terminated],
      ...Object.entries(columns).map(([key, column]) => [column, areas[key]?.[0] ?? ''] as const),
    ])
    return header.split(',').map((column) => `"${cells.get(column) ?? ''}"`)
  })
  return [header, ...lines].map((line) => `${line}\r\n`).join('')
}

/** The name files of a directory that holds these facts: their names, and their texts. */
export function nameFiles({ names }: Layout, facts: readonly Fact[]) {
  return names.map(([kind, file, header, codes]) => {
    const columns = header.split(',')
    const known = new Map(facts.flatMap(({ areas }) => (areas[kind]?.[1] ? [areas[kind]] : [])))
    const ofFile = [...known].filter(([code]) => codes === undefined || codes.test(code))
    const lines = ofFile.map(([code, name]) =>
      columns.map((column) => (/CD$/.test(column) ? code : /NM$/.test(column) ? `"${name}"` : '')),
    )
    return { file: `${file}.csv`, text: `${[header, ...lines].join('\r\n')}\r\n` }
  })
}
