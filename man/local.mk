dist_man_MANS += man/xdpdump.8
