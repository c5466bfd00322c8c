"""Results for people: plain text within 80 columns, coloured when it goes to a terminal."""
