/** The end of a form: what saves it, and the way back. */
export function SaveActs({ back }: { back: string }) {
  return (
    <div class="acts">
      <button type="submit">Save</button>
      <a class="button" href={back}>
        Cancel
      </a>
    </div>
  )
}
