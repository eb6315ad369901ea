/** Activities of the OpenActive activity list (CC BY 4.0) that charities often offer, with the ids of their concepts. */
const activities: Readonly<Record<string, string>> = {
  Acting: 'cf9ff8b8-7a15-48d3-8536-1d17e70345a7',
  'Activity Holiday Camp': '051e492d-e053-4d24-a54c-e9de9fc637cf',
  Aerobics: '678b9fc4-1860-4377-85b9-e4c01628582a',
  Athletics: '4d280e1b-a370-4582-ab4d-442b2eeaf5d4',
  Badminton: 'c0360db0-a817-4bae-9167-40f89b49fc9e',
  Basketball: 'e09776e6-f1b4-421b-b667-5c5913cf97aa',
  Boccia: '611363c5-8acf-4eeb-aeba-c33e9c70146e',
  Bowls: 'b885f4f6-2242-4d11-9466-065d60402624',
  Boxing: 'd4417bb3-383f-489b-b0c7-731b82f3b220',
  Camping: '8f458c98-5303-41c6-93ec-8f9f7daec8d3',
  Canoeing: 'e0425262-6f1d-4c58-ba8a-dd790c5351b1',
  'Chair Based Exercise': 'ee3cf3ee-082e-4f53-9cb2-3ef0589497ed',
  'Chair Yoga': '16b8fad0-68a1-4159-892d-c9b59dce03c8',
  'Circuit Training': 'd22d1d7d-8a2f-4e18-88c8-80abcbdded9d',
  Climbing: 'd09970bc-e11c-40cc-a594-38e4ff32d611',
  Cricket: '77e3f8fa-c8b3-4e4e-bf1a-ff4b914bb6ec',
  Cycling: '4a19873e-118e-43f4-b86e-05acba8fb1de',
  Dance: '6ca15167-51da-4d91-a1ae-8a45dc47b0ea',
  'Early Years Play': '36d7c0f9-1831-44ef-abf6-ead8b1cfa80e',
  Football: '0a5f732d-e806-4e51-ad40-0a7de0239c8c',
  'Forest School': '9d8d84b4-3a0b-497b-aefa-c7ae723d262f',
  Gardening: '5b880e93-4a16-4c37-86ac-ba2ffba68358',
  'General Fitness for Older Adults': '808e1337-0ab2-4db3-b269-0ee3565c3ac9',
  'Group Exercise': '984068a7-5b7b-4989-bb33-f96953d8960c',
  Gymnastics: 'f6ccded0-2666-4a51-88a4-ed6905bb4313',
  'Indoor Bowls': 'e759300c-0794-4362-9fdd-85a725504217',
  'Line Dancing': '2998a4ad-e206-4cf8-9f9d-8a36faa0bc88',
  'Martial Arts': '2330f2d4-d0dc-4231-8dd9-07d37a452228',
  Meditation: '0c2a1e6b-4b02-4b8a-ae6d-59f225ff5341',
  Multisports: '26a7b902-1ddd-46fd-9371-853e414c9eb3',
  Netball: 'fbdc35a8-3dd0-40ee-a7ca-6ff40b3e5f90',
  'Nordic Walking': 'c72e1713-25c1-4886-926a-4cd549bb4916',
  Petanque: 'fc435509-332a-41db-b204-0da4153cf4f6',
  Pilates: '3a6b1c08-7aa6-48d4-9690-dca9e0133057',
  Qigong: 'c5e5beaf-0af7-4f43-a28f-6f4ef0e6da92',
  Running: '72ddb2dc-7d75-424e-880a-d90eabe91381',
  Singing: 'e2b21a40-66a4-42bb-a24f-3638cc356299',
  'Soft Play': 'b3a34a20-b4ef-402c-8763-a54ce9da422d',
  Swimming: '2750229d-b725-4171-9276-376be913957c',
  'Table Tennis': '1a05993d-b206-4efe-85da-646fa340bdf4',
  'Tai Chi': 'c16df6ed-a4a0-4275-a8c3-1c8cff56856f',
  Tennis: 'f2ea7405-6098-4378-b0fe-4e398a659fc4',
  Walking: '95092977-5a20-4d6e-b312-8fddabe71544',
  'Walking Football': 'b8019b67-2ade-406f-a012-91a5c3869652',
  Yoga: 'bf1a5e00-cdcf-465d-8c5a-6f57040b7f7e',
}

const scheme = 'https://openactive.io/activity-list'

/** The activities that an event's tags name, as OpenActive's concepts. */
export const findActivities = (tags: readonly string[]) =>
  Object.entries(activities)
    .filter(([label]) => tags.some((tag) => tag.trim().toLowerCase() === label.toLowerCase()))
    .map(([label, id]) => ({
      '@type': 'Concept',
      '@id': `${scheme}#${id}`,
      prefLabel: label,
      inScheme: scheme,
    }))
