import { englishDates, formatDay, formatMoment } from '../model/dates.ts'
import type { AnswerType } from '../model/forms/question-types.ts'
import type { Problem, Unit } from '../model/validation-error.ts'
import { isValueType, type StoredForm, type ValueType, valueTypes } from '../model/value-types.ts'
import { formatMoney, formatNumber } from '../platform/format-number.ts'
import { joinNames } from '../platform/join-names.ts'
import { formatCount, pluralise } from '../platform/pluralise.ts'

/** What people read on the public pages and in letters, in British English. */
export const enGB = {
  language: 'en-GB',
  dates: englishDates,
  formatNumber,
  yes: 'Yes',
  no: 'No',

  page: {
    error: 'Error:',
    skip: 'Skip to content',
    back: 'Back',
    privacyNotice: 'Privacy notice',
    trial: 'This is a trial. Please enter invented details only.',
  },

  exit: {
    label: 'Leave',
    link: 'Exit this page quickly',
    keys: 'or press Shift three times',
  },

  controls: {
    optional: (label: string) => `${label} (optional)`,
    chooseOne: 'Choose one',
    day: 'Day',
    month: 'Month',
    year: 'Year',
    dateExample: 'For example, 27 3 2016.',
    listHint: 'One per line.',
    examples: (labels: readonly string[]) => `For example, ${labels.join(', ')}.`,
    errorsTitle: 'There is a problem',
    error: 'Error: ',
    notAnswered: 'Not answered',
    checkAnswers: 'Check your answers',
  },

  robots: {
    trap: 'Leave this empty',
    needsScript: 'Turn on JavaScript to send this form: it checks that you are a person.',
  },

  events: {
    title: 'Events',
    none: 'There are no events to book at the moment.',
    later: 'Later events',
    addAllToCalendar: 'Add all events to your calendar',
    subscribe: 'Subscribe in your calendar',
    all: 'All events',
    filterByTag: 'Filter by tag',
    allTags: 'All',
    tags: 'Tags',
    calendarName: (organisation: string) => `${organisation} events`,
  },

  openData: {
    title: (organisation: string) => `Sessions of ${organisation}`,
    about: (organisation: string) =>
      `${organisation} publishes its sessions as open data, in the form of OpenActive.`,
    feed: 'The feed:',
    licence: (organisation: string) =>
      `This data is owned by ${organisation}. Anyone may access, use and share it under the Creative Commons Attribution Licence 4.0:`,
  },

  event: {
    unnamed: 'Event',
    about: 'About this event',
    when: 'When',
    where: 'Where',
    price: 'Price',
    free: 'Free',
    pricePerPerson: (price: number) => `${formatMoney(price)} a person`,
    places: 'Places',
    full: 'Full',
    fullOf: (capacity: number) => `Full (${formatCount(capacity, 'place')})`,
    placesLeft: (left: number) => `${formatCount(left, 'place')} left`,
    placesLeftOf: (left: number, capacity: number) =>
      `${formatNumber(left)} left of ${formatNumber(capacity)}`,
    questions: 'Questions',
  },

  series: {
    dates: 'Dates',
    chooseDate: 'Each date is booked separately. Choose one.',
    allDates: (count: number) =>
      `The form is for ${pluralise(count, 'this date', `all of these ${count} dates`)}. To come to one date only, open it.`,
    waitingFor: (dates: readonly string[]) =>
      `These dates are full, so you join the waiting list for them: ${dates.map(formatMoment).join('; ')}. You get a place on all others.`,
    noDates: 'There are no dates to come.',
  },

  signUp: {
    allTaken: 'All places are taken.',
    allTakenExceptVolunteers: 'All places are taken, but volunteers are still needed.',
    waitingList:
      'Sign up for the waiting list: a place that falls free is offered to the next on it.',
    role: 'How do you want to take part?',
    participant: 'Come to the event',
    volunteer: 'Help as a volunteer',
    yourDetails: 'Your details',
    yourName: 'Your name',
    yourEmail: 'Your e-mail address',
    whoIsComing: 'Who is coming?',
    whoIsComingHint: 'Add everyone who needs a place.',
    comingToo: 'I am coming too: copy my details',
    copied: (labels: readonly string[]) => `${joinNames(labels)}: as for person 1.`,
    person: (number: number) => `Person ${number}`,
    addPerson: 'Add another person',
    remove: 'Remove',
    removed: (number: number) => `person ${number}`,
    deletedAfter: (day: string) => `Deleted after ${formatDay(day)}.`,
    consent: 'Consent',
    howYouTakePart: 'How you take part',
    noVolunteers: 'How you take part cannot be as a volunteer: this event takes none.',
    form: 'The form',
    ofPerson: (number: number, label: string) => `Person ${number}: ${label}`,
    error: (label: string, type: AnyType, problem: Problem) =>
      problem.code === 'required' || problem.code === 'too_short'
        ? `${label}: enter an answer.`
        : `${label} ${describeProblem(type, problem)}`,
    purpose: (organisation: string) =>
      `${organisation} uses these details to run the event and to report on it.`,
  },

  signUpCheck: {
    notSaved: 'Your sign-up was not saved',
    takesPart: 'Takes part',
    asVolunteer: 'As a volunteer',
    signUp: 'Sign up',
    joinWaitingList: 'Join the waiting list',
    unknownPostcodes: (postcodes: readonly string[]) =>
      `Is ${joinNames(postcodes)} right? The list of UK ${pluralise(postcodes.length, 'postcode does', 'postcodes does')} not have ${pluralise(postcodes.length, 'it', 'them')}. Sign up if it is right, for example in another country.`,
    change: 'Change answers',
  },

  signedUp: {
    titles: {
      unconfirmed: 'Check your inbox',
      confirmed: 'You are signed up',
      waiting: 'You are on the waiting list',
    },
    sendingTo: <Part>(address: Part) => ['We are sending a message to ', address, '.'],
    confirmByLink: 'Open the link in it within 15 minutes to confirm your booking.',
    waitingWithLink:
      'There are not enough places left, so you join the waiting list. Open the link in the message to see or cancel your booking.',
    noMessage: 'No message? Look in the spam folder, or sign up again with the right address.',
    waiting: (hours: number) =>
      `All places are taken. Open your link again later: if a place falls free for you, it is offered there, and held for ${formatCount(hours, 'hour')}.`,
    privateLinks: (count: number) =>
      `With your private ${pluralise(count, 'link')} you can see, change or cancel a booking. Save ${pluralise(count, 'it', 'them')}: this page is shown once.`,
    bookingFor: (name: string) => `Booking for ${name}`,
  },

  booking: {
    confirm: 'Confirm',
    accept: 'Accept the place',
    atTheDoor: 'At the door',
    showCode: 'Show this code, or give the name.',
    codeLabel: (name: string) => `Code of the booking of ${name}`,
    markAsCome: 'For staff: mark as come',
    addToCalendar: 'Add to your calendar',
    change: 'Change details',
    cancel: (count: number) => `Cancel ${pluralise(count, 'booking', 'bookings')}`,
    signUpAgain: 'Sign up again',
    back: 'Back to the booking',
    backToFamily: 'All bookings',
    familyCode: 'Code of all bookings',
    save: 'Save changes',
    cancelQuestion: (count: number) =>
      `Cancel ${pluralise(count, 'this booking', 'these bookings')}?`,
    cancelEffect: (names: readonly string[], event: string | undefined, dates: number) =>
      `${joinNames(names)} no longer ${pluralise(names.length, 'has', 'have')} a place at ${event ?? 'the event'}${dates > 1 ? ` on ${dates} dates` : ''}. Somebody else can take it at once.`,
  },

  /** The title of a booking's page and the sentence below it, by the state of the booking. */
  bookingStates: {
    attended: { title: 'You came', text: 'The organisers have recorded that you came.' },
    absent: { title: 'This event is over', text: 'The organisers have closed the register.' },
    missed: {
      title: 'This event is over',
      text: 'The booking was not confirmed before its end.',
    },
    unconfirmed: (heldUntil: string | undefined) => ({
      title: 'Confirm your booking',
      text: `The place is held ${until(heldUntil)}. Confirm it, and all others of the same sign-up.`,
    }),
    pending: {
      title: 'Confirm your booking',
      text: 'Many people are signing up now, so no place is held for you until you confirm. If none is left then, you join the waiting list.',
    },
    confirmed: {
      title: 'You are booked',
      text: 'Keep this page’s address to change or cancel.',
    },
    offered: (heldUntil: string | undefined) => ({
      title: 'There is a place for you',
      text: `The place is held ${until(heldUntil)}. If you do not accept it, the next person gets it.`,
    }),
    waiting: {
      title: 'On the waiting list',
      text: 'All places are taken. A place that falls free is offered here, in the order of sign-ups.',
    },
    cancelled: { title: 'Booking cancelled', text: 'This booking was cancelled.' },
    lapsed: {
      title: 'The place is no longer held',
      text: 'It was not confirmed in time and may have gone to somebody else.',
    },
  },

  form: {
    anonymous: 'Your answers are anonymous: they are stored without your name.',
    deadline: (time: string) => `Answer by ${formatMoment(time)}.`,
    start: 'Start',
    next: 'Continue',
    back: 'Back',
    send: 'Send',
    save: 'Save and finish later',
    saved: 'Answers saved, not sent yet',
    comeBack: (expires: string) =>
      `Open the same link again by ${formatMoment(expires)} to finish. Whoever has the link can see what you saved.`,
    pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
    yourAnswers: 'Your answers',
    change: 'Change',
    changedPage: (page: number) => `page ${page}`,
    notSent: 'Your answers were not sent',
    sent: 'Answers sent',
    thanks: 'Thank you for your answers.',
    otherAnswer: 'Another answer',
    row: (number: number) => `Row ${number}`,
    conditional: 'Leave it empty if it does not apply to you.',
    linkHint: 'A web address, such as https://www.example.org.',
    rankingHint: 'Write 1 beside the first, 2 beside the second, and so on.',
    maxWords: (max: number) => `At most ${formatCount(max, 'word')}.`,
    /** The headings of the pages for a form that cannot be answered, and what people can do. */
    refusals: {
      noForm: {
        title: 'There is no form here',
        advice: (organisation: string) =>
          `Check the address. Some forms open only with a personal link: ask ${organisation} for yours.`,
      },
      formChanged: {
        title: 'This link no longer works',
        advice: (organisation: string) => `Ask ${organisation} for a new link.`,
      },
      formClosed: {
        title: 'This form is closed',
        advice: (organisation: string) => `Contact ${organisation} if you still want to answer.`,
      },
      noLink: {
        title: 'This link does not work',
        advice: (organisation: string) =>
          `Check that you opened the whole link. If you did, ask ${organisation} for a new one.`,
      },
      linkExpired: {
        title: 'This link has expired',
        advice: (organisation: string) => `Ask ${organisation} for a new link.`,
      },
      alreadyAnswered: {
        title: 'Already answered',
        advice: (organisation: string) =>
          `Contact ${organisation} if you want to change an answer.`,
      },
    },
    error: (title: string, type: AnyType, problem: Problem) =>
      `“${title}” ${describeProblem(type, problem)}`,
    limits(min: number | undefined, max: number | undefined, unit: Unit | undefined): string {
      if (min === undefined) return `At most ${countOf(max, unit)}.`
      if (max === undefined) return `At least ${countOf(min, unit)}.`
      return `From ${formatNumber(min)} to ${countOf(max, unit)}.`
    },
  },

  unsubscribe: {
    title: 'Stop messages',
    question: (organisation: string) => `Stop messages from ${organisation}?`,
    effect:
      'You get no more messages about events to which you came. You still get those about bookings that you make.',
    stop: 'Stop messages',
    done: 'You get no more of these messages.',
  },

  /** Why a page refuses a request. */
  refusals: {
    noPage: 'This page does not exist.',
    noEvent: 'This event does not exist, is over, or takes no more bookings.',
    eventOver: 'This event is over.',
    eventRemoved: 'The event of this booking was removed.',
    noBooking: 'This link does not lead to a booking.',
    bookingUnchangeable: 'This booking can no longer be changed.',
    placeLost: 'This place is no longer held: sign up again.',
    noUnsubscribing: 'This link does not stop any messages.',
    noForm: 'This form does not exist, or it needs a personal link.',
    formChanged: 'This form has changed, so this link does not work any more.',
    formClosed: 'This form takes no answers any more.',
    noLink: 'This link does not exist, or it was used already.',
    linkExpired: 'This link has expired.',
    alreadyAnswered: 'You have answered this form already. Thank you.',
    formIncomplete: 'Part of the form is missing. Open it again.',
    answersTooLong: 'The answers are too long. Shorten them and try again.',
    otherMediaType: 'Send the form from its page.',
    sentTooFast:
      'This form was sent very quickly, as robots do. Wait a few seconds and send it again.',
    personUnconfirmed: 'The check that you are a person did not succeed. Send the form again.',
    tooManyMessages:
      'This e-mail address has been sent too many messages today. Use another one, or sign up tomorrow.',
  },

  errors: {
    /** The titles of the pages of errors, by status. */
    titles: { 404: 'Page not found', 410: 'Form not available' },
    otherTitle: 'Something went wrong',
    /** The words of errors that are not only of the public pages. */
    byType: {
      NOT_FOUND: 'This page does not exist.',
      PAYLOAD_TOO_LARGE: 'The answers are too long. Shorten them and try again.',
      RATE_LIMITED: 'There were too many requests. Try again in a minute.',
    },
    other: 'Nothing was saved. Try again in a minute.',
  },

  letters: {
    event: (name: string | undefined, organisation: string, start: string | null | undefined) =>
      `“${nameOf(name)}” of ${organisation}${start ? ` on ${formatMoment(start)}` : ''}`,
    person: (number: number) => `Person ${number}`,
    signUpSubject: (name: string | undefined) => `Your sign-up for ${nameOf(name)}`,
    signUp: (event: string) => `Somebody used this address to sign up for ${event}.`,
    waiting:
      'There are not enough places, so these people are on the waiting list. You will get a message when there is a place.',
    confirm: (heldUntil: string) =>
      `Please confirm your address by ${formatMoment(heldUntil)}: open a link below and choose “Confirm”. Otherwise the places are given to others.`,
    confirmPending: (heldUntil: string) =>
      `Please confirm your address by ${formatMoment(heldUntil)}: open a link below and choose “Confirm”. Many people are signing up now, so no place is held for you until then.`,
    knownPeople: 'These people were signed up before:',
    links:
      'Each link leads to the booking of one person, to see, change or cancel it. If you did not sign up, ignore this message.',
    linkOfSeries:
      'The link leads to all of these bookings, to see, change or cancel them. If you did not sign up, ignore this message.',
    allDates: 'All dates',
    waitingFor: (dates: readonly string[]) =>
      `These dates are full, so you are on the waiting list for them: ${dates.map(formatMoment).join('; ')}.`,
    offerSubject: (name: string | undefined) => `A place at ${nameOf(name)}`,
    offer: (event: string) => `There is a place for you at ${event}.`,
    offerEnd: (heldUntil: string) =>
      `It is held for you until ${formatMoment(heldUntil)}. Open the link and choose “Accept the place”, or “Cancel booking” if you cannot come.`,
    hello: (name: string | undefined) => (name ? `Hello ${name},` : 'Hello,'),
    bookedSubject: (name: string | undefined) => `You are booked: ${nameOf(name)}`,
    reminderSubject: (name: string | undefined) => `Tomorrow: ${nameOf(name)}`,
    changedSubject: (name: string | undefined) => `${nameOf(name)} has changed`,
    cancelledSubject: (name: string | undefined, day: string | undefined) =>
      `${nameOf(name)}${day ? ` on ${formatDay(day)}` : ''} is cancelled`,
    people: {
      booked: (names: readonly string[], event: string) =>
        `${joinNames(names)} ${pluralise(names.length, 'is', 'are')} booked for ${event}:`,
      waiting: (names: readonly string[], event: string) =>
        `${joinNames(names)} ${pluralise(names.length, 'is', 'are')} on the waiting list for ${event}:`,
      came: (names: readonly string[], event: string) => `${joinNames(names)} came to ${event}:`,
    },
    otherDates: (count: number) => `and ${count} more ${pluralise(count, 'date')}`,
    newDetails: (name: string) => `${name} takes place:`,
    before: (details: string) => `Before: ${details}`,
    kept: (names: readonly string[]) =>
      `The ${pluralise(names.length, 'booking')} of ${joinNames(names)} ${pluralise(names.length, 'stays', 'stay')} as before.`,
    cancelled: (event: string, period: string, names: readonly string[]) =>
      `“${event}” on ${period} is cancelled, and with it the ${pluralise(names.length, 'booking')} of ${joinNames(names)}.`,
    cancelledDates: (event: string, names: readonly string[]) =>
      `“${event}” is cancelled, and with it the bookings of ${joinNames(names)} on these dates:`,
    map: 'Map',
    calendar: 'Add to your calendar',
    family: (count: number) => `See, change or give up your ${pluralise(count, 'place')}`,
    giveUp: (count: number) =>
      `Cannot come? Give up the ${pluralise(count, 'place')}, so that others can have ${pluralise(count, 'it', 'them')}`,
    keepLink: 'The links are private: keep them to yourself.',
    form: (name: string, organisation: string) =>
      `${organisation} asks for your answers to “${name}”. Open the link to begin.`,
    formReminderSubject: (name: string) => `Reminder: ${name}`,
    formReminder: (name: string, organisation: string) =>
      `${organisation} has asked for your answers to “${name}”, and has none yet. Open the link to begin. This is the only reminder.`,
    formOf: (person: string) => `For ${person}`,
    formLinks: (expires: string) =>
      `Each link is for one person and works until ${formatMoment(expires)}. Do not pass it on.`,
    because: {
      booked: 'You get this because you booked.',
      waiting: 'You get this because you are on the waiting list.',
      came: 'You get this because you came.',
    },
    questions: (contacts: readonly string[]) => `Questions: ${contacts.join(', ')}.`,
    unsubscribe: 'Stop such messages',
  },
}

/** The type of a field or of the answer to a question. */
type AnyType = ValueType | AnswerType

/** The end of a sentence about an answer. */
function describeProblem(type: AnyType, { code, parameters = {} }: Problem): string {
  const { min, max, unit, count, values } = parameters
  const verb = unit ? 'have' : 'be'
  switch (code) {
    case 'required':
      return wordsFor(type, requests) ?? 'needs an answer.'
    case 'too_short':
    case 'too_small':
      return `must ${verb} at least ${countOf(min, unit)}.`
    case 'too_long':
    case 'too_large': {
      const excess = count === undefined ? '' : `; it has ${formatNumber(count)}`
      return `must ${verb} at most ${countOf(max, unit)}${excess}.`
    }
    case 'not_allowed':
      return values ? `must be one of: ${values.join(', ')}.` : 'must be one of the options.'
    case 'conflict':
      return 'must have either an option or another answer, not both.'
    case 'duplicate':
      return 'is the same person as another.'
    case 'not_unique':
      return 'has another booking for this event.'
    default:
      if (min !== undefined) return `must have ${formatNumber(min)} to ${countOf(max, unit)}.`
      return wordsFor(type, expectations) ?? 'is not valid.'
  }
}

type Words = Partial<Record<AnyType | StoredForm, string>>

/** The words for a type, or for the form in which documents store its values. */
const wordsFor = (type: AnyType, words: Words): string | undefined =>
  words[type] ?? (isValueType(type) ? words[valueTypes[type].stored] : undefined)

/** What an empty answer needs. */
const requests: Words = {
  number: 'needs a number.',
  date: 'needs a date.',
  tick: 'must be ticked.',
  option: 'needs one of the options.',
  'option or other': 'needs an option or another answer.',
  options: 'needs at least one of the options.',
  ranking: 'needs at least a first place.',
  list: 'needs at least one entry.',
  table: 'needs at least one row.',
}

/** What an invalid answer must be. */
const expectations: Words = {
  number: 'must be a number.',
  date: 'must be a real date, such as 27 3 2016.',
  email: 'must be one e-mail address.',
  link: 'must be a web address, such as https://www.example.org.',
  ranking: 'must have each place once: 1 for the first, 2 for the second, and so on.',
}

const plurals: Partial<Record<Unit, string>> = { entry: 'entries' }

const countOf = (count = 0, unit: Unit | undefined) =>
  unit ? formatCount(count, unit, plurals[unit]) : formatNumber(count)

const nameOf = (event: string | undefined) => event || 'our event'

const until = (time: string | undefined) =>
  time ? `until ${formatMoment(time)}` : 'for a short time'
