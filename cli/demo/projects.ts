/** What is asked for at each fund, by its id. */
export const projects: Record<string, { title: string; summary: string }[]> = {
  'fund-1': [
    {
      title: 'A garden for the estate',
      summary: 'Raised beds on the empty plot, planted and kept by the people who overlook it.',
    },
    {
      title: 'Street supper',
      summary: 'Four suppers a year on a closed road, cooked by a different side of it each time.',
    },
    {
      title: 'The repair table',
      summary: 'Volunteers who mend lamps, zips and toasters on the first Saturday of the month.',
    },
    {
      title: 'A new floor for the hall',
      summary: 'The hall closes when it rains. A sound floor keeps eleven groups going.',
    },
  ],
  'fund-2': [
    {
      title: 'Our own radio hour',
      summary: 'Young people plan, record and broadcast an hour a week on what matters to them.',
    },
    {
      title: 'Safe way home',
      summary: 'A survey of dark paths by those who walk them, and a meeting with the council.',
    },
    {
      title: 'Youth panel',
      summary: 'Ten places on the board for people under 20, with training and bus fares.',
    },
    {
      title: 'Skate and study',
      summary: 'Homework help beside the skate ramp, three afternoons a week.',
    },
  ],
  'fund-3': [
    {
      title: 'Open door on weekdays',
      summary: 'A heated room, tea and a newspaper from ten to four, all winter.',
    },
    {
      title: 'Warm evenings',
      summary: 'Late opening on the coldest nights, with soup and somebody to talk to.',
    },
    {
      title: 'Knit and sit',
      summary: 'Wool, chairs and company for people who would otherwise heat one room at home.',
    },
  ],
  'fund-4': [
    { title: 'Cooker', summary: 'A cooker to replace one that was condemned.' },
    { title: 'Beds and bedding', summary: 'Beds for a family that has moved out of a hostel.' },
    { title: 'School clothes', summary: 'Uniform, shoes and coats before the new term.' },
    { title: 'Travel to work', summary: 'Bus passes until the first full wage is paid.' },
  ],
}
