import { texts } from '../../texts/texts.ts'
import { assetPath, type PublicSite } from './site.ts'

/*
 * People whom somebody may watch can leave the pages at once (GOV.UK exit this page). The keys are those of GOV.UK:
 * Shift does nothing by itself, whereas Escape also leaves full screen and closes lists.
 */

/** Renders the link that leaves, in the same place of every page. */
export const ExitLink = ({ site }: { site: PublicSite }) => (
  <nav class="exit" aria-label={texts.exit.label}>
    <a
      class="button"
      href={assetPath(site, '/exit')}
      target="_top"
      rel="noreferrer nofollow"
      aria-describedby="exit-keys"
      data-exit
    >
      {texts.exit.link}
    </a>
    <small id="exit-keys" data-exit-keys hidden>
      {texts.exit.keys}
    </small>
    <script src="/assets/exit.js" defer />
  </nav>
)
