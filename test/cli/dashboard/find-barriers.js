/*
 * Finds barriers that axe does not see: small targets, covered or invisible focus, spaced text that is cut off,
 * movement, titles without the heading, and help in another place. It runs in the page and returns a sentence for each,
 * which begins with the criterion of WCAG 2.2.
 */
;(() => {
  const minTarget = 24
  /** The number of controls, spread over the page, that get the focus: lists repeat themselves. */
  const maxFocused = 30

  const describe = (element) => element.outerHTML.replaceAll(/\s+/g, ' ').slice(0, 120)

  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true })

  /** Whether an element takes up space on the page: skip links and hidden labels do not. */
  const isShown = (element) => {
    const { width, height, right, bottom } = element.getBoundingClientRect()
    return isVisible(element) && Math.min(width, height, right + scrollX, bottom + scrollY) > 1
  }

  const controls = [
    ...document.querySelectorAll(
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]',
    ),
  ].filter((control) => !control.disabled && control.tabIndex >= 0 && isVisible(control))

  /** A control and its labels, which are part of its target. */
  const listParts = (control) => [control, ...(control.labels ?? [])]

  function measureTarget(control) {
    const rects = listParts(control)
      .filter(isShown)
      .map((part) => part.getBoundingClientRect())
    const isLarge = ({ width, height }) => Math.min(width, height) >= minTarget - 0.5
    const rect = rects.find(isLarge) ?? rects[0]
    const { x, y, width, height } = rect
    return { control, rect, x: x + width / 2, y: y + height / 2, isSmall: !isLarge(rect) }
  }

  /** Whether two targets are too close for the smaller one (2.5.8, spacing). */
  function isClose(small, other) {
    if (other.control.contains(small.control) || small.control.contains(other.control)) return false
    if (other.isSmall) return Math.hypot(small.x - other.x, small.y - other.y) < minTarget
    const { left, right, top, bottom } = other.rect
    const x = Math.max(left - small.x, 0, small.x - right)
    const y = Math.max(top - small.y, 0, small.y - bottom)
    return Math.hypot(x, y) < minTarget / 2
  }

  /** Whether a link is part of a line of text (2.5.8, inline). */
  function isInSentence(control) {
    if (getComputedStyle(control).display !== 'inline') return false
    let block = control.parentElement
    while (getComputedStyle(block).display === 'inline') block = block.parentElement
    const text = block.cloneNode(true)
    for (const part of text.querySelectorAll('a, button, label, .visually-hidden')) part.remove()
    return text.textContent.trim() !== ''
  }

  function findSmallTargets() {
    const targets = controls
      .filter((control) => !control.matches('[tabindex="0"]') && listParts(control).some(isShown))
      .map(measureTarget)
    return targets
      .filter(({ control, isSmall }) => isSmall && !isInSentence(control))
      .filter((small) => targets.some((other) => other !== small && isClose(small, other)))
      .map(({ control, rect: { width, height } }) => {
        const size = [width, height].map(Math.round).join(' by ')
        return `2.5.8: a target of ${size} px: ${describe(control)}`
      })
  }

  /** The points of a box at which something could cover it. */
  const points = [0.5, 0.1, 0.9].flatMap((x) => [0.5, 0.1, 0.9].map((y) => [x, y]))

  /** What a person sees where the visible part of an element is, point by point: the first is usually enough. */
  function* findHits(element) {
    for (const rect of element.getClientRects()) {
      const [left, right] = [Math.max(rect.left, 0), Math.min(rect.right, innerWidth)]
      const [top, bottom] = [Math.max(rect.top, 0), Math.min(rect.bottom, innerHeight)]
      for (const [x, y] of points)
        yield document.elementFromPoint(left + (right - left) * x, top + (bottom - top) * y)
    }
  }

  const hasOutline = (element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return outlineStyle !== 'none' && outlineWidth !== '0px'
  }

  function describeFocus(control) {
    control.focus()
    const parts = listParts(control)
    const isSeen = (hit) =>
      // Escape closes an open menu, and the focus stays.
      parts.some((part) => part.contains(hit)) || hit.closest('.menu[open]')
    let cover
    let isCovered = true
    for (const hit of findHits(parts.find(isShown) ?? control)) {
      cover ??= hit
      if (hit && isSeen(hit)) {
        isCovered = false
        break
      }
    }
    if (isCovered) {
      return `2.4.11: ${cover ? describe(cover) : 'no scrolling'} covers the focus: ${describe(control)}`
    }
    // After a click, browsers do not show where the focus is.
    const isHidden =
      control.matches(':focus-visible') && ![...parts, control.parentElement].some(hasOutline)
    return isHidden ? `2.4.7: the focus is invisible: ${describe(control)}` : undefined
  }

  function findHiddenFocus() {
    const { activeElement } = document
    const position = [scrollX, scrollY]
    const step = Math.ceil(controls.length / maxFocused)
    const barriers = controls.filter((_, index) => index % step === 0).map(describeFocus)
    document.activeElement.blur()
    activeElement.focus({ preventScroll: true })
    scrollTo(...position)
    return barriers.filter(Boolean)
  }

  /** The spacing that readers may choose (1.4.12). */
  const spacing = `
    * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
    p { margin-bottom: 2em !important }`

  const isCutOff = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
    scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1

  function findCutOffText() {
    const boxes = [...document.querySelectorAll('body :not(input, select, textarea)')].filter(
      (element) => {
        const { overflow, clipPath } = getComputedStyle(element)
        return /hidden|clip/.test(overflow) && clipPath === 'none' && !isCutOff(element)
      },
    )
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(spacing)
    document.adoptedStyleSheets.push(sheet)
    const barriers = boxes.filter(isCutOff).map((box) => `1.4.12: cut off: ${describe(box)}`)
    const { scrollWidth } = document.documentElement
    if (scrollWidth > innerWidth)
      barriers.push(`1.4.12: spaced text makes the page ${scrollWidth} px wide`)
    document.adoptedStyleSheets.pop()
    return barriers
  }

  const findMovement = () =>
    document.getAnimations().map(({ effect }) => `2.2.2: it moves: ${describe(effect.target)}`)

  function findOtherTitle() {
    const heading = document.querySelector('h1').textContent.trim()
    return document.title.includes(heading) ? [] : [`2.4.2: the title is not “${heading}”`]
  }

  /** Help is in the account menu of the dashboard, and at the end of a public page. */
  const findMovedHelp = () =>
    document.querySelector('.nav, .banner') &&
    !document.querySelector('header .account a[href="/docs"], body > main + .contact:last-child')
      ? ['3.2.6: help is not where it is on other pages']
      : []

  return [
    findSmallTargets,
    findHiddenFocus,
    findCutOffText,
    findMovement,
    findOtherTitle,
    findMovedHelp,
  ].flatMap((find) => find())
})()
