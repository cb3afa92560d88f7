# parts of this folder are listed here
