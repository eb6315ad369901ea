/** The end of a form: what saves it, and the way back. */
export function SaveButtons({ cancelPath }: { cancelPath: string }) {
  return (
    <div class="acts">
      <button type="submit">Save</button>
      <a class="button" href={cancelPath}>
        Cancel
      </a>
    </div>
  )
}
