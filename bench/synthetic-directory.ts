import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

// Writes a directory of the size and shape of a published one, with none of its data: 2,730,000
// postcodes, a third of them terminated, in the columns of August 2026, and the files of names.
// node bench/synthetic-directory.ts <folder>

const postcodes = 2_730_000
const header =
  'pcd7,pcd8,pcds,dointr,doterm,cty26cd,ced25cd,lad26cd,wd26cd,parncp26cd,usrtypind,east1m,north1m,gridind,hlth19cd,nhser24cd,ctry26cd,rgn26cd,ssr95cd,pcon24cd,eer20cd,educ23cd,ttwa15cd,pco19cd,itl25cd,wdstl05cd,oa01cd,wdcas03cd,npark16cd,lsoa01cd,msoa01cd,ruc01ind,oac01ind,oa11cd,lsoa11cd,msoa11cd,wz11cd,sicbl26cd,bua24cd,ruc11ind,oac11ind,lat,long,lep21cd1,lep21cd2,pfa23cd,imd20ind,cal26cd,icb26cd,oa21cd,lsoa21cd,msoa21cd,ruc21ind,oac21ind,imd25ind'
const columns = header.split(',')

type Nation = 'E' | 'W' | 'S' | 'N' | 'L' | 'M'

const countries = {
  E: 'E92000001',
  W: 'W92000004',
  S: 'S92000003',
  N: 'N92000002',
  L: 'L93000001',
  M: 'M83000003',
}

/** A kind of area: its column, the beginning of its codes, and how many LSOAs one has. */
type Kind = { column: string; codes: Partial<Record<Nation, string>>; lsoas: number }

const kinds: Kind[] = [
  { column: 'cty26cd', codes: { E: 'E10' }, lsoas: 1600 },
  { column: 'ced25cd', codes: { E: 'E58' }, lsoas: 25 },
  { column: 'lad26cd', codes: { E: 'E07', W: 'W06', S: 'S12', N: 'N09' }, lsoas: 120 },
  { column: 'wd26cd', codes: { E: 'E05', W: 'W05', S: 'S13', N: 'N08' }, lsoas: 5.1 },
  { column: 'parncp26cd', codes: { E: 'E04', W: 'W04' }, lsoas: 3.3 },
  { column: 'rgn26cd', codes: { E: 'E12' }, lsoas: 4000 },
  { column: 'pcon24cd', codes: { E: 'E14', W: 'W07', S: 'S14', N: 'N05' }, lsoas: 66 },
  { column: 'lsoa21cd', codes: { E: 'E01', W: 'W01', S: 'S01', N: 'N21' }, lsoas: 1 },
  { column: 'msoa21cd', codes: { E: 'E02', W: 'W02', S: 'S02' }, lsoas: 5 },
  { column: 'icb26cd', codes: { E: 'E54' }, lsoas: 1000 },
  { column: 'pfa23cd', codes: { E: 'E23', W: 'W15', S: 'S23', N: 'N24' }, lsoas: 900 },
]

const postcodesOfLsoa = 63
const nationOf = (area: string): Nation => {
  if (/^(AB|DD|DG|EH|FK|G|HS|IV|K.|ML|PA|PH|TD|ZE)$/.test(area)) return 'S'
  if (/^(CF|LD|LL|NP|SA)$/.test(area)) return 'W'
  return ({ BT: 'N', GY: 'L', JE: 'L', IM: 'M' }[area] as Nation | undefined) ?? 'E'
}

const areas =
  'AB AL B BA BB BD BH BL BN BR BS BT CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL DN DT DY E EC EH EN EX FK FY G GL GU GY HA HD HG HP HR HS HU HX IG IM IP IV JE KA KT KW KY L LA LD LE LL LN LS LU M ME MK ML N NE NG NN NP NR NW OL OX PA PE PH PL PO PR RG RH RM S SA SE SG SK SL SM SN SO SP SR SS ST SW SY TA TD TF TN TQ TR TS TW UB W WA WC WD WF WN WR WS WV YO ZE'.split(
    ' ',
  )
const letters = 'ABDEFGHJLNPQRSTUWXYZ'
const unitsOfSector = 100
const districtsOfArea = Math.ceil(postcodes / areas.length / unitsOfSector / 10)

const met = new Map<string, Set<string>>()

function* lines(): Generator<string> {
  yield `${header}\r\n`
  let row = 0
  for (const area of areas) {
    const nation = nationOf(area)
    const districts = Array.from({ length: districtsOfArea }, (_, index) => `${area}${index + 1}`)
    for (const district of districts.sort()) {
      for (let unit = 0; unit < 10 * unitsOfSector && row < postcodes; unit++) {
        yield line(district, unit, nation, row++)
      }
    }
  }
}

function line(district: string, unit: number, nation: Nation, row: number): string {
  const chance = spread(row)
  const place = unit % unitsOfSector
  const inward = `${Math.floor(unit / unitsOfSector)}${letters[Math.floor(place / 20)]}${letters[place % 20]}`
  const values: Record<string, string> = {
    pcd7: district.padEnd(4) + inward,
    pcd8: `${district.padEnd(5)}${inward}`,
    pcds: `${district} ${inward}`,
    dointr: '198001',
    doterm: chance % 3 === 0 ? '199606' : '',
    ctry26cd: countries[nation],
  }
  const lsoa = Math.floor(row / postcodesOfLsoa)
  for (const [index, { column, codes, lsoas }] of kinds.entries()) {
    // The borders of different areas cross, so a few postcodes belong to the neighbouring area.
    const beside = (chance >> (2 * index)) % 8 === 1 && lsoas < 60 ? 1 : 0
    const prefix = codes[nation]
    const code = prefix
      ? prefix + String(Math.floor(lsoa / lsoas) + beside + 1).padStart(6, '0')
      : `${nation}99999999`
    values[column] = code
    remember(column, code)
  }
  return `${columns.map((column) => cell(column, values[column])).join()}\r\n`
}

function cell(column: string, value: string | undefined): string {
  if (column === 'lat' || column === 'long') return '51.403454'
  return `"${value ?? (column.endsWith('cd') ? 'E00000000' : '1')}"`
}

function remember(column: string, code: string): void {
  const codes = met.get(column) ?? new Set()
  met.set(column, codes.add(code))
}

/** A whole number that follows from another with no pattern to see. */
function spread(number: number): number {
  const mixed = Math.imul(number ^ (number >>> 15), 0x2c1b3c6d)
  return (Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39) >>> 1) ^ (mixed >>> 17)
}

async function writeNames(folder: string): Promise<void> {
  met.set('ctry26cd', new Set(Object.values(countries)))
  for (const [column, codes] of met) {
    const rows = [...codes].map((code) => `${code},${nameOf(column, code)}\r\n`)
    const file = `${column.slice(0, -4).toUpperCase()} names and codes UK as at 05_26.csv`
    const head = `${column},${column.replace(/cd$/, 'nm')}`.toUpperCase()
    await writeFile(join(folder, file), `${head}\r\n${rows.join('')}`)
  }
}

const nameOf = (column: string, code: string) =>
  code.endsWith('99999999') ? '(pseudo)' : `Area of ${column.slice(0, -4)} ${code.slice(3)}`

const folder = process.argv[2]
if (folder === undefined) throw new Error('Give the folder to write to.')
await mkdir(join(folder, 'Data'), { recursive: true })
await mkdir(join(folder, 'Documents'), { recursive: true })
await pipeline(
  Readable.from(lines(), { highWaterMark: 1000 }),
  createWriteStream(join(folder, 'Data/ONSPD_AUG_2026_UK.csv'), { highWaterMark: 1 << 20 }),
)
await writeNames(join(folder, 'Documents'))
